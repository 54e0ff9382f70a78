import { ScreenLink } from '../components/ScreenLink.tsx'
import { ScreenBar } from '../ui/Layout.tsx'
import { NoticeLine } from '../ui/Notice.tsx'

export function NotFound() {
  return (
    <>
      <ScreenBar>
        <h1>Screen not found</h1>
      </ScreenBar>
      <NoticeLine role="alert">
        <b>This address does not name a screen.</b> It may come from another version of Sandbank.{' '}
        <ScreenLink screen="now">Go to Now</ScreenLink>
      </NoticeLine>
    </>
  )
}
