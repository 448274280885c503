const PATHS = {
  home: 'M3 7.5 8 3l5 4.5V13a.5.5 0 0 1-.5.5h-3V10h-3v3.5h-3A.5.5 0 0 1 3 13z',
  projects: 'M2.5 4h11M2.5 8h7M5.5 12h8',
  datasets: 'M3 4.2C3 3 5.2 2.3 8 2.3s5 .7 5 1.9v7.6c0 1.2-2.2 1.9-5 1.9s-5-.7-5-1.9zM3 4.2c0 1.2 2.2 1.9 5 1.9s5-.7 5-1.9M3 8c0 1.2 2.2 1.9 5 1.9s5-.7 5-1.9',
  exports: 'M8 9.5v-7M5 5l3-3 3 3M3 8.5v4a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1v-4',
  deployments: 'M8 2 13.5 5v6L8 14l-5.5-3V5zM2.5 5 8 8l5.5-3M8 8v6',
  play: 'M5 3.5v9l7-4.5z',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  right: 'M6 3.5 10.5 8 6 12.5',
  link: 'M6 4H4a2 2 0 0 0-2 2v6a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2v-2M9 2.5h4.5V7M13.5 2.5 7 9',
  chain: 'M6.6 9.4l2.8-2.8M7.2 4.6l1.2-1.2a2.9 2.9 0 0 1 4.2 4.2l-1.2 1.2M8.8 11.4l-1.2 1.2a2.9 2.9 0 0 1-4.2-4.2l1.2-1.2',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  out: 'M6 13.5H3v-11h3M9.5 5l3 3-3 3M12 8H6',
  keys: 'M2 5h12v7H2zM4.5 7.5h.01M7 7.5h.01M9.5 7.5h.01M12 7.5h.01M5 10h6',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 14 14',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.5M8 11h.01',
  download: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M3 13.5h10',
  settings: 'M2.5 4.5h7M12.5 4.5h1M9.5 3v3M2.5 11.5h1M6.5 11.5h7M6.5 10v3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
