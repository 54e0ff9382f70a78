import { useId } from 'react'
import type { Program } from '../../data/feed.ts'
import { Breaking } from '../../ui/Text.tsx'
import { changeDraft, changedSettings, type Draft, inCents, type Raw, rawOf } from './draft.ts'
import type { Setting } from './fields.ts'

interface SettingRowProps {
  readonly setting: Setting
  readonly program: Program
  readonly draft: Draft
  readonly wrong: string | undefined
}

/** One setting: its name, its value to be changed, and what it means. */
export function SettingRow({ setting, program, draft, wrong }: SettingRowProps) {
  const id = useId()
  const { path, label = path.split('.').at(-1)!, means, section } = setting
  const kept = rawOf(setting, program)
  const raw = draft.raw[path] ?? kept
  const changed = changedSettings(program, { raw: { [path]: raw } }).length > 0
  const set = (to: Raw) => changeDraft(program.uid, (was) => ({ ...was, raw: { ...was.raw, [path]: to } }))
  const grouped = setting.kind.is === 'several'
  return (
    <div className="setting" data-changed={changed ? '' : undefined}>
      {grouped ? (
        <span id={id}>{label}</span>
      ) : (
        <label htmlFor={id}>
          <Breaking>{label}</Breaking>
        </label>
      )}
      <div>
        <Control setting={setting} id={id} told={`${id}told`} raw={raw} set={set} wrong={wrong !== undefined} />
        {wrong !== undefined && (
          <p className="bad" role="alert">
            {wrong}
          </p>
        )}
        {changed && (
          <p className="meta was">
            changed from {sayRaw(kept)}
            {' · '}
            <button type="button" className="back" onClick={() => set(kept)}>
              as it was
            </button>
          </p>
        )}
      </div>
      <p id={`${id}told`}>
        {means}
        {section === undefined ? '' : ` Section ${section}.`}
      </p>
    </div>
  )
}

function sayRaw(raw: Raw): string {
  if (typeof raw === 'boolean') return raw ? 'on' : 'off'
  const text = typeof raw === 'string' ? raw.replaceAll('\n', ', ') : raw.join(', ')
  return text === '' ? 'empty' : text
}

interface ControlProps {
  readonly setting: Setting
  readonly id: string
  readonly told: string
  readonly raw: Raw
  readonly set: (to: Raw) => void
  readonly wrong: boolean
}

function Control({ setting: { kind, nullable }, id, told, raw, set, wrong }: ControlProps) {
  const common = { id, 'aria-describedby': told, 'aria-invalid': wrong || undefined }
  if (kind.is === 'flag')
    return <input {...common} type="checkbox" checked={raw === true} onChange={(event) => set(event.target.checked)} />
  if (kind.is === 'several') {
    const chosen = raw as readonly string[]
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a border and a legend of its own.
      <div role="group" aria-labelledby={id} className="several">
        {kind.of.map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={(event) => set(kind.of.filter((o) => (o === one ? event.target.checked : chosen.includes(o))))}
            />
            {one}
          </label>
        ))}
      </div>
    )
  }
  const text = raw as string
  if (kind.is === 'one')
    return (
      <span className="field">
        <select {...common} value={text} onChange={(event) => set(event.target.value)}>
          {kind.of.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </span>
    )
  if (kind.is === 'lines')
    return (
      <textarea
        {...common}
        className="paste"
        rows={Math.max(2, text.split('\n').length)}
        value={text}
        spellCheck={false}
        onChange={(event) => set(event.target.value)}
      />
    )
  const isNumber = kind.is === 'number' || kind.is === 'amount'
  return (
    <span className="row">
      <span className="field" data-wrong={wrong ? '' : undefined} data-number={isNumber ? '' : undefined}>
        <input
          {...common}
          value={text}
          inputMode={kind.is === 'amount' ? 'decimal' : kind.is === 'number' ? 'numeric' : undefined}
          placeholder={nullable ? 'no limit' : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set(event.target.value)}
        />
      </span>
      {kind.is === 'number' && kind.unit && <span className="faint">{kind.unit}</span>}
      {kind.is === 'amount' && !wrong && text !== '' && <span className="faint">{inCents(text)} USD</span>}
    </span>
  )
}
