import { Fragment, useLayoutEffect, useMemo, useRef } from 'react'
import { useRoute } from '../../data/route.ts'
import { Row } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Caption, Pane, ScreenBar, Sidebar, Split } from '../../ui/Layout.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import { AboutPage, aboutPages } from './AboutPages.tsx'
import { EndpointPage } from './EndpointPage.tsx'
import { MethodPage } from './MethodPage.tsx'
import { isEndpoint, isErrorCode, isMethod, type Page, searchPages } from './pages.ts'
import styles from './Reference.module.css'

/** The reference of the API, generated from its contract. */
export function Reference() {
  const { record, params, adjust, filter } = useRoute()
  const list = usePaneSize('reference', '--sidebar')
  const id = record ?? 'overview'
  const text = params.q?.[0] ?? ''
  const groups = useMemo(() => searchPages(text), [text])
  const { code: _, section: __, ...others } = params
  const codeParam = isErrorCode(text) ? { code: [text.trim()] } : {}
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
        <span className="soft cut">generated from the contract that the server uses</span>
      </ScreenBar>
      <Split data-stacks style={{ '--sidebar': '304px', ...list.style }}>
        <Sidebar aria-label="Pages">
          {groups.length > 0 ? (
            <PickList<Page>
              label="Pages of the reference"
              className={styles.list}
              groups={groups}
              idOf={(page) => page.id}
              selected={id}
              onSelect={(page) =>
                adjust({ record: page.id, params: page.id === 'errors' ? { ...others, ...codeParam } : others })
              }
              onOpen={() => document.getElementById(PAGE_ID)?.focus()}
              renderItem={({ title, method }) => (
                <Row as="span" gap={8} align="baseline">
                  {method && <b className={styles.verb}>{method}</b>}
                  <span className="wrap" style={{ minWidth: 0 }}>
                    <BreakablePath path={title} />
                  </span>
                </Row>
              )}
            />
          ) : (
            <Caption as="p" className="data soft">
              No page contains “{text}”.
              <Button small onClick={() => filter('q', [])}>
                Clear
              </Button>
            </Caption>
          )}
        </Sidebar>
        <Splitter label="Width of the list" sizes="before" onResize={list.onResize} />
        <ReferencePage key={id} id={id} target={params.code?.[0] ?? params.section?.[0]} />
      </Split>
    </>
  )
}

const PAGE_ID = 'reference-page'

/** A path that may break before each slash. */
const BreakablePath = ({ path }: { path: string }) =>
  path.split(/(?<=.)(?=\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/**
 * Scroll positions by page, as distances from the end: the form at the top of an endpoint's page is rendered late, so
 * distances from the top would be wrong.
 */
const scrollPositions = new Map<string, number>()

interface ReferencePageProps {
  readonly id: string
  /** The error code or section to scroll to. */
  readonly target: string | undefined
}

function ReferencePage({ id, target }: ReferencePageProps) {
  const pane = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page is mounted anew, because its id is the key.
  useLayoutEffect(() => {
    const page = pane.current!
    const fromEnd = scrollPositions.get(id)
    if (fromEnd !== undefined && target === undefined) page.scrollTop = page.scrollHeight - fromEnd
    return () => {
      if (page.scrollTop > 0) scrollPositions.set(id, page.scrollHeight - page.scrollTop)
      else scrollPositions.delete(id)
    }
  }, [])
  const aboutPage = Object.hasOwn(aboutPages, id) ? aboutPages[id] : undefined
  return (
    <Pane ref={pane} id={PAGE_ID} className={styles.page} aria-label="Page" tabIndex={0}>
      {aboutPage ? (
        <AboutPage page={aboutPage} />
      ) : isEndpoint(id) ? (
        <EndpointPage name={id} />
      ) : isMethod(id) ? (
        <MethodPage name={id} />
      ) : (
        <NoticeLine>
          <b>There is no page {id}.</b> Choose one from the list or search for it.
        </NoticeLine>
      )}
    </Pane>
  )
}
