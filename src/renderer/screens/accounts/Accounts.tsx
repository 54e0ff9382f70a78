export function Accounts() {
  return (
    <div className="bar">
      <h1>Accounts and ledger</h1>
    </div>
  )
}
