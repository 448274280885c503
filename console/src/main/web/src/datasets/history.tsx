import { decimal } from '../ui/format';
import { averageOf, byStart, margin, type Session } from './scores';

const WIDTH = 300;
const HEIGHT = 84;
const PAD = 10;

/** The average of one score in each experiment, oldest first, with its 95 % interval. The page's table has the numbers. */
export function History({ name, experiments, hrefOf }: { name: string; experiments: readonly Session[]; hrefOf: (experiment: Session) => string }) {
  const points = [...experiments]
    .sort(byStart)
    .flatMap((experiment) => {
      const average = averageOf(experiment, name);
      return average === null ? [] : [{ experiment, average, margin: margin(experiment, name) ?? 0 }];
    });
  if (points.length === 0) {
    return null;
  }
  const low = Math.min(...points.map((point) => point.average - point.margin));
  const high = Math.max(...points.map((point) => point.average + point.margin));
  // Equal averages without intervals are in the middle.
  const isFlat = high === low;
  const y = (value: number): number => (isFlat ? HEIGHT / 2 : HEIGHT - PAD - ((value - low) / (high - low)) * (HEIGHT - 2 * PAD));
  const x = (index: number): number => 46 + (points.length === 1 ? 0.5 : index / (points.length - 1)) * (WIDTH - 46 - PAD);
  return (
    <figure>
      <figcaption class="chart-title">{name}</figcaption>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label={`${name}: from ${decimal(points[0]!.average)} to ${decimal(points[points.length - 1]!.average)}`}>
        {(isFlat ? [low] : [high, low]).map((value) => (
          <text key={value} x="0" y={y(value) + 4}>
            {decimal(value)}
          </text>
        ))}
        <polyline points={points.map((point, index) => `${x(index)},${y(point.average)}`).join(' ')} fill="none" stroke="var(--line-strong)" />
        {points.map((point, index) => (
          <a key={point.experiment.id} href={hrefOf(point.experiment)} aria-label={`Compare ${point.experiment.name}`}>
            <line x1={x(index)} x2={x(index)} y1={y(point.average - point.margin)} y2={y(point.average + point.margin)} stroke="var(--accent)" stroke-opacity="0.5" />
            <circle cx={x(index)} cy={y(point.average)} r="3.5" fill="var(--accent)">
              <title>{`${point.experiment.name}: ${decimal(point.average)} ± ${decimal(point.margin)}`}</title>
            </circle>
          </a>
        ))}
      </svg>
    </figure>
  );
}
