import { ScreenLink } from '../components/ScreenLink.tsx'
import { ScreenBar } from '../ui/Layout.tsx'
import { NoticeLine } from '../ui/Notice.tsx'

export function NotFound() {
  return (
    <>
      <ScreenBar>
        <h1>No such place</h1>
      </ScreenBar>
      <NoticeLine role="alert">
        <b>The address names no screen of this window.</b> It may be of another version of Sandbank.{' '}
        <ScreenLink screen="connect">Go to Connect</ScreenLink>
      </NoticeLine>
    </>
  )
}
