export function Payments() {
  return (
    <div className="bar">
      <h1>Payments</h1>
    </div>
  )
}
