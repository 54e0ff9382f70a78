import { useState } from 'react'
import { useRoute } from '../../data/route.ts'
import { Row, ScreenBar } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { TabPanes } from '../../ui/Tabs.tsx'

interface Outcome {
  /** What was done. */
  readonly text?: string
  /** What failed, and why. */
  readonly title?: string
  readonly error?: unknown
}

/** Does something for a screen, whose outcome is the text that `work` answers, or `failed` and the error. */
export type Attempt = (failed: string, work: () => Promise<string | undefined>) => Promise<void>

/** What the last action of a screen did, or why it failed. */
export function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome>({})
  const report = (text: string | undefined) => setOutcome(text === undefined ? {} : { text })
  const attempt: Attempt = async (failed, work) => {
    setOutcome({})
    try {
      report(await work())
    } catch (error) {
      setOutcome({ title: failed, error })
    }
  }
  return { outcome, report, attempt }
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
          <Row wraps gap="4 12" pad="4 16" least={36} text="data" fill="accent" mark="accent">
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
