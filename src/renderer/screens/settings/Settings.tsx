export function Settings() {
  return (
    <div className="bar">
      <h1>Program settings</h1>
    </div>
  )
}
