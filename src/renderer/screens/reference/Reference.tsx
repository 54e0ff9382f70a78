import { useMemo } from 'react'
import '../../components/form/form.css'
import './reference.css'
import { PickList } from '../../components/PickList.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { useView } from '../../stores/view.ts'
import { CodesPage, ErrorsPage, LimitsPage, OverviewPage, RulesPage, StatesPage, TriggersPage } from './AboutPages.tsx'
import { EndpointPage } from './EndpointPage.tsx'
import { MethodPage } from './MethodPage.tsx'
import { groupsOf, isEndpoint, isMethod, type Page, search } from './pages.ts'

/** The API, as its contract says it: whoever integrates needs no other document. */
export function Reference() {
  const { record, params, adjust, filter } = useView()
  const at = record ?? 'overview'
  const text = params.q?.[0] ?? ''
  const groups = useMemo(() => groupsOf(search(text)), [text])
  const { code: _, ...others } = params
  return (
    <>
      <div className="bar">
        <h1>API reference</h1>
        <SearchField
          value={text}
          onChange={(q) => filter('q', q === '' ? [] : [q])}
          label="Search the reference"
          placeholder="path, field, error code, method"
          width={248}
        />
        <span className="soft cut">generated from the contract that serves it</span>
      </div>
      <div className="split referring">
        <section className="choosing" aria-label="Pages">
          <PickList<Page>
            label="Pages of the reference"
            groups={groups}
            idOf={({ id }) => id}
            selected={at}
            onSelect={({ id }) => adjust({ record: id, params: others })}
            onOpen={() => document.querySelector<HTMLElement>('.refpage')?.focus()}
            draw={({ title, method }) => (
              <span className="pageline" title={title}>
                {method && <b className="verb">{method}</b>}
                <span className="cut">{title}</span>
              </span>
            )}
          />
          {groups.length === 0 && (
            <p className="cap data soft">
              Nothing has “{text}”.
              <button type="button" className="btn" data-small onClick={() => filter('q', [])}>
                Clear
              </button>
            </p>
          )}
        </section>
        <PageAt key={at} at={at} />
      </div>
    </>
  )
}

const aboutPages: Readonly<Record<string, () => React.ReactNode>> = {
  overview: OverviewPage,
  limits: LimitsPage,
  errors: ErrorsPage,
  rules: RulesPage,
  states: StatesPage,
  triggers: TriggersPage,
  codes: CodesPage,
}

function PageAt({ at }: { at: string }) {
  const About = Object.hasOwn(aboutPages, at) ? aboutPages[at] : undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className="pane refpage" aria-label="Page" tabIndex={0}>
      {About ? (
        <About />
      ) : isEndpoint(at) ? (
        <EndpointPage name={at} />
      ) : isMethod(at) ? (
        <MethodPage name={at} />
      ) : (
        <p className="notice">
          <b>There is no page {at}.</b> Choose one from the list, or search.
        </p>
      )}
    </section>
  )
}
