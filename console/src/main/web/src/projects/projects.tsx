export default function Stub() {
  return <main class="page">later</main>;
}
