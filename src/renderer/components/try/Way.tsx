import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, useAction, useQuery } from '../../data/sandbox.ts'
import { formatInstant } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Actions, Line } from '../../ui/Layout.tsx'
import { Loaded, Notice } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { AnyRecordLink } from '../ScreenLink.tsx'
import { Undo } from '../Undo.tsx'
import { Tried } from './Tried.tsx'

type Reached = MethodOutput<'reach'>

/** The steps to a goal, and what they would do. They are taken in this world, or saved as a scenario. */
export const Way = ({ goal }: { readonly goal: string }) => (
  <Loaded query={useQuery('reach', { goal })} failure="No steps were found." rows={6}>
    {(found) => <Found found={found} />}
  </Loaded>
)

function Found({ found }: { readonly found: Reached }) {
  const { goal, steps, ends_at } = found
  const applying = useAction(() => sandbox.reach({ goal, apply: true }))
  const saving = useAction(async () => {
    const name = `reach-${goal}`.replaceAll(/[^\w.]+/g, '-').slice(0, 100)
    const { scenario } = await sandbox.reach({ goal, scenario: name })
    await sandbox['scenarios.save']({ name, text: scenario ?? '' })
    useRoute.getState().go({ screen: 'scenarios', record: name })
  })
  const { result } = applying
  const isBusy = applying.isBusy || saving.isBusy
  const error = applying.error ?? saving.error
  const record = (result ?? found).record
  return (
    <>
      <ol aria-label="Steps">
        {steps.map(({ text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place.
          <Line key={at}>
            <span className="faint">{at + 1}</span>
            <Text className="wrap">{text}</Text>
          </Line>
        ))}
      </ol>
      <Actions>
        {steps.length > 0 && !result && (
          <>
            <Button primary aria-disabled={isBusy} onClick={() => void applying.run()}>
              Apply
            </Button>
            <Button aria-disabled={isBusy} onClick={() => void saving.run()}>
              Save as scenario
            </Button>
          </>
        )}
        <span role="status" className="data" style={{ lineHeight: '24px' }}>
          {steps.length === 0
            ? 'It is so already'
            : result
              ? 'Reached'
              : `The clock would be at ${formatInstant(Date.parse(ends_at))}`}
          {record && (steps.length === 0 || result) && (
            <>
              {': '}
              <AnyRecordLink collection={record.collection} uid={record.uid} />
            </>
          )}
        </span>
        {result && <Undo operation={result.operation} what="the steps" />}
      </Actions>
      {error !== undefined && <Notice title="It was not done." error={error} />}
      {steps.length > 0 && !result && <Tried calls={steps.map(({ method, input }) => ({ method, input }))} />}
    </>
  )
}
