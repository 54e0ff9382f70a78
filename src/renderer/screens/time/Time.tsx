export function Time() {
  return (
    <div className="bar">
      <h1>Time</h1>
    </div>
  )
}
