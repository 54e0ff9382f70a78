import { Fragment, useLayoutEffect, useMemo, useRef } from 'react'
import { useRoute } from '../../data/route.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption, Pane, ScreenBar, Sidebar, Split } from '../../ui/Layout.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { CodesPage, ErrorsPage, LimitsPage, OverviewPage, RulesPage, StatesPage, TriggersPage } from './AboutPages.tsx'
import { EndpointPage } from './EndpointPage.tsx'
import { MethodPage } from './MethodPage.tsx'
import { groupsFor, isEndpoint, isErrorCode, isMethod, type Page } from './pages.ts'
import styles from './Reference.module.css'

/** The API, as its contract says it: whoever integrates needs no other document. */
export function Reference() {
  const { record, params, adjust, filter } = useRoute()
  const at = record ?? 'overview'
  const text = params.q?.[0] ?? ''
  const groups = useMemo(() => groupsFor(text), [text])
  const { code: _, section: __, ...others } = params
  const asked = isErrorCode(text) ? { code: [text.trim()] } : {}
  return (
    <>
      <ScreenBar>
        <h1>API reference</h1>
        <SearchField
          value={text}
          onChange={(q) => filter('q', q === '' ? [] : [q])}
          label="Search the reference"
          placeholder="path, field, error code, method"
          width={248}
        />
        <span className="soft cut">generated from the contract that serves it</span>
      </ScreenBar>
      <Split className={styles.split} data-stacks>
        <Sidebar aria-label="Pages">
          {groups.length > 0 ? (
            <PickList<Page>
              label="Pages of the reference"
              className={styles.list}
              groups={groups}
              idOf={({ id }) => id}
              selected={at}
              onSelect={({ id }) => adjust({ record: id, params: id === 'errors' ? { ...others, ...asked } : others })}
              onOpen={() => document.getElementById(PAGE)?.focus()}
              draw={({ title, method }) => (
                <span className={styles.line}>
                  {method && <b className={styles.verb}>{method}</b>}
                  <span>
                    <Broken path={title} />
                  </span>
                </span>
              )}
            />
          ) : (
            <Caption as="p" className="data soft">
              Nothing has “{text}”.
              <Button small onClick={() => filter('q', [])}>
                Clear
              </Button>
            </Caption>
          )}
        </Sidebar>
        <PageAt key={at} at={at} to={params.code?.[0] ?? params.section?.[0]} />
      </Split>
    </>
  )
}

const PAGE = 'reference-page'

const aboutPages: Readonly<Record<string, () => React.ReactNode>> = {
  overview: OverviewPage,
  limits: LimitsPage,
  errors: ErrorsPage,
  rules: RulesPage,
  states: StatesPage,
  triggers: TriggersPage,
  codes: CodesPage,
}

/** A path may go on in a second line after any of its parts. */
const Broken = ({ path }: { path: string }) =>
  path.split(/(?<=.)(?=\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part of a path is known by its place.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** How far from its end each page was left. What comes late, as the form to try it, stands at the top of a page. */
const left = new Map<string, number>()

function PageAt({ at, to }: { at: string; to: string | undefined }) {
  const pane = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that is shown anew is another part of the window.
  useLayoutEffect(() => {
    const page = pane.current!
    const before = left.get(at)
    if (before !== undefined && to === undefined) page.scrollTop = page.scrollHeight - before
    return () => {
      if (page.scrollTop > 0) left.set(at, page.scrollHeight - page.scrollTop)
      else left.delete(at)
    }
  }, [])
  const About = Object.hasOwn(aboutPages, at) ? aboutPages[at] : undefined
  return (
    <Pane ref={pane} id={PAGE} className={styles.page} aria-label="Page" tabIndex={0}>
      {About ? (
        <About />
      ) : isEndpoint(at) ? (
        <EndpointPage name={at} />
      ) : isMethod(at) ? (
        <MethodPage name={at} />
      ) : (
        <NoticeLine>
          <b>There is no page {at}.</b> Choose one from the list, or search.
        </NoticeLine>
      )}
    </Pane>
  )
}
