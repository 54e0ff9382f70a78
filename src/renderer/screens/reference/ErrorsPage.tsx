import { useEffect } from 'react'
import { type ErrorKey, errors } from '../../../api/contract/errors.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useRoute } from '../../data/route.ts'
import { PaneIntro } from '../../ui/Layout.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { scrollToTop } from '../../ui/scroll.ts'
import { findEndpointsWithError } from './pages.ts'
import { ErrorRows } from './Tables.tsx'

/** A longer list of endpoints is folded. */
const MAX_SHOWN_ENDPOINTS = 4

export function ErrorsPage() {
  const code = useRoute((view) => view.params.code?.[0])
  const keys = Object.keys(errors) as ErrorKey[]
  const highlighted = keys.find((key) => String(errors[key].code) === code)
  useEffect(() => {
    if (highlighted) scrollToTop(document.querySelector(`[data-key="${highlighted}"]`), 80)
  }, [highlighted])
  return (
    <>
      <PaneIntro as="header">
        <h2>Error codes</h2>
        <p className="soft">
          Every error has a status, a code, a title and a detail; extra names the field or the requirement. Below each
          error are the endpoints that declare it.
        </p>
        {code && !highlighted && <NoticeLine>There is no error code {code}.</NoticeLine>}
      </PaneIntro>
      <ErrorRows keys={keys} highlighted={highlighted}>
        {(key) => <EndpointLinks errorKey={key} />}
      </ErrorRows>
    </>
  )
}

function EndpointLinks({ errorKey }: { errorKey: ErrorKey }) {
  const names = findEndpointsWithError(errorKey)
  const links = names.map((name) => (
    <span key={name}>
      <ScreenLink screen="reference" record={name}>
        {name}
      </ScreenLink>{' '}
    </span>
  ))
  if (names.length <= MAX_SHOWN_ENDPOINTS) return names.length > 0 && <span className="hint">{links}</span>
  return (
    <details className="hint">
      <summary>Declared by {names.length} endpoints</summary>
      {links}
    </details>
  )
}
