import { useState } from 'react'
import { useRoute } from '../../data/route.ts'
import { Row } from '../../ui/Box.tsx'
import { ScreenBar } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { TabPanes } from '../../ui/Tabs.tsx'

interface Outcome {
  /** What was done. */
  readonly text?: string
  /** What failed, and why. */
  readonly title?: string
  readonly error?: unknown
}

/** What the last action of a screen did, or why it failed. */
export function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome>({})
  return {
    outcome,
    report: (text: string) => setOutcome({ text }),
    fail: (title: string, error: unknown) => setOutcome({ title, error }),
    clear: () => setOutcome({}),
  }
}

interface TabbedScreenProps {
  readonly title: string
  readonly about: string
  readonly outcome: Outcome
  /** In the place of the text of the outcome. */
  readonly done?: React.ReactNode
  readonly panes: readonly { readonly value: string; readonly label: string; readonly content: React.ReactNode }[]
}

/** A screen of tabs, with the outcome of the last action above them. The first tab is the one without a name in the address. */
export function TabbedScreen({ title, about, outcome, done = outcome.text, panes }: TabbedScreenProps) {
  const { params, filter } = useRoute()
  const [first, ...others] = panes
  const pane = others.find(({ value }) => value === params.pane?.[0]) ?? first!
  return (
    <>
      <ScreenBar>
        <h1>{title}</h1>
        <span className="soft cut">{about}</span>
      </ScreenBar>
      {outcome.title !== undefined && <Notice title={outcome.title} error={outcome.error} />}
      <div role="status">
        {done && (
          <Row wraps gap="4 12" pad="4 16" least={36} text="data" fill="accent" style={MARKED}>
            {done}
          </Row>
        )}
      </div>
      <TabPanes
        label={title}
        value={pane.value}
        onChange={(to) => filter('pane', to === first!.value ? [] : [to])}
        panes={panes}
      />
    </>
  )
}

const MARKED = { boxShadow: 'inset 3px 0 var(--accent)' }
