/** Reading is quiet; whatever may change something is bold. */
export function Method({ name }: { name: string }) {
  return name === 'GET' ? <span className="soft">{name}</span> : <b>{name}</b>
}
