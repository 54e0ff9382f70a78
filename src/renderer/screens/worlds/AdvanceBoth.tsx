import { SkipForward } from 'lucide-react'
import { useId, useState } from 'react'
import type { AdvanceInput } from '../../../api/contract/control/clock.ts'
import { markChanged } from '../../data/feed.ts'
import { sandboxOf } from '../../data/sandbox.ts'
import { worldLabel } from '../../data/worlds.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Select, TextInput } from '../../ui/Field.tsx'
import styles from './AdvanceBoth.module.css'
import { COMPARED } from './compared.ts'

const units = {
  'business days': (n: number) => ({ business_days: n }),
  days: (n: number) => ({ by: `P${n}D` }),
  hours: (n: number) => ({ by: `PT${n}H` }),
} as const satisfies Readonly<Record<string, (n: number) => AdvanceInput>>
type Unit = keyof typeof units
const isUnit = (text: string): text is Unit => Object.hasOwn(units, text)
const MAX = 2_600

interface Outcome {
  readonly name: string
  readonly text: string
  readonly isError: boolean
}

/** Advances the clocks of both worlds by the same amount. */
export function AdvanceBoth({ worlds }: { worlds: readonly (string | null)[] }) {
  const [count, setCount] = useState('1')
  const [unit, setUnit] = useState<Unit>('business days')
  const [isBusy, setIsBusy] = useState(false)
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const id = useId()
  const n = Number(count)
  const isInvalid = !Number.isInteger(n) || n < 1 || n > MAX
  const advance = async (input: AdvanceInput) => {
    if (isBusy) return
    setIsBusy(true)
    setOutcomes([])
    setOutcomes(await Promise.all(worlds.map((world) => advanceWorld(world, input))))
    setIsBusy(false)
    markChanged(COMPARED)
    markChanged('worlds')
  }
  return (
    <form
      className={styles.form}
      aria-label="Advance both worlds"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isInvalid) void advance(units[unit](n))
      }}
    >
      <label htmlFor={id} className="data soft">
        Advance both by
      </label>
      <span className="row" data-tight>
        <TextInput
          id={id}
          style={{ width: 48 }}
          numeric
          inputMode="numeric"
          value={count}
          invalid={isInvalid}
          aria-describedby={`${id}note`}
          onChange={(event) => setCount(event.target.value)}
        />
        <Select
          className="grow"
          aria-label="Unit"
          value={unit}
          onChange={(event) => isUnit(event.target.value) && setUnit(event.target.value)}
        >
          {Object.keys(units).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </span>
      <span className="row" data-tight>
        <Button type="submit" primary aria-disabled={isBusy || isInvalid}>
          <SkipForward size={12} strokeWidth={1.8} aria-hidden="true" />
          {isBusy ? 'Advancing…' : 'Advance both'}
        </Button>
        <Button aria-disabled={isBusy} onClick={() => void advance({ until: 'idle' })}>
          Until idle
        </Button>
      </span>
      <div id={`${id}note`} className="data" role="status">
        {isInvalid && <p className="bad">Enter a whole number from 1 to 2,600.</p>}
        {outcomes.map(({ name, text, isError }) => (
          <p key={name} className={isError ? 'bad wrap' : 'soft wrap'}>
            {name}: {text}
          </p>
        ))}
      </div>
    </form>
  )
}

async function advanceWorld(world: string | null, input: AdvanceInput): Promise<Outcome> {
  const name = worldLabel(world)
  try {
    const { ran } = await sandboxOf(world)['clock.advance'](input)
    return { name, text: `${plural(ran, 'task')} ran`, isError: false }
  } catch (error) {
    return { name, text: errorText(error), isError: true }
  }
}
