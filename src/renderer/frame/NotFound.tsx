import { ScreenLink } from '../components/ScreenLink.tsx'

export function NotFound() {
  return (
    <>
      <div className="bar">
        <h1>No such place</h1>
      </div>
      <div className="notice" role="alert">
        <b>The address names no screen of this window.</b> It may be of another version of Sandbank.{' '}
        <ScreenLink screen="connect">Go to Connect</ScreenLink>
      </div>
    </>
  )
}
