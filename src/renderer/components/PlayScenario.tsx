import { useState } from 'react'
import { sandbox, useAction, useQuery } from '../data/sandbox.ts'
import { errorText, plural } from '../format/text.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Field.tsx'
import { Row } from '../ui/Layout.tsx'
import { Text } from '../ui/Text.tsx'
import { Undo } from './Undo.tsx'

/** Plays a scenario in the current world: what is there stays. Those that need a world of their own are not offered. */
export function PlayScenario() {
  const listed = useQuery('scenarios.list', {}, ['scenarios']).data?.scenarios.filter(({ adds }) => adds) ?? []
  const [chosen, setChosen] = useState('a-funded-customer')
  const name = listed.some((one) => one.name === chosen) ? chosen : listed[0]?.name
  const { run, result, error, isBusy } = useAction(async (wanted: string) =>
    sandbox['scenarios.run']({ name: wanted, into: 'present', reset: false }),
  )
  return (
    <>
      <Row gap={8}>
        <Select
          aria-label="Scenario to play here"
          style={{ minWidth: 0 }}
          value={name ?? ''}
          options={listed.map((one) => [one.name, one.title] as const)}
          onChange={setChosen}
        />
        <Button
          aria-disabled={isBusy}
          whyNot={name === undefined ? 'No scenario.' : undefined}
          onClick={() => name && void run(name)}
        >
          {isBusy ? 'Playing…' : 'Play here'}
        </Button>
      </Row>
      <div className="data wrap" role="status">
        {result && (
          <Row wraps gap={8}>
            <Text>
              {result.state === 'passed'
                ? `${result.title}: ${plural(result.steps.length, 'step')} done.`
                : `${result.title}: stopped at step ${result.at} of ${result.steps.length}: ${result.steps[result.at - 1]?.title ?? ''}`}
            </Text>
            <Undo key={result.operation} operation={result.operation} what="the scenario" />
          </Row>
        )}
        {error !== undefined && <span className="bad">{errorText(error)}</span>}
      </div>
    </>
  )
}
