export function Snapshots() {
  return (
    <div className="bar">
      <h1>Snapshots</h1>
    </div>
  )
}
