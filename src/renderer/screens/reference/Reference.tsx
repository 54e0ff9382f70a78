export function Reference() {
  return (
    <div className="bar">
      <h1>API reference</h1>
    </div>
  )
}
