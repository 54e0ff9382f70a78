import type { ExchangeDetail } from '../../api/contract/control.ts'
import { Field } from '../ui/Property.tsx'
import { Prose } from '../ui/Prose.tsx'
import { Text } from '../ui/Text.tsx'
import { Go } from './ScreenLink.tsx'

interface RefusalProps {
  readonly refusal: NonNullable<ExchangeDetail['refusal']>
  /** Whose page of the reference tells more. */
  readonly endpoint?: string | null
}

/** What the caller was told, what it was not told, and how to pass. */
export function Refusal({ refusal, endpoint = null }: RefusalProps) {
  const { code, title, detail, extra, cause, pass, section } = refusal
  return (
    <section className="why" aria-label="Why it was refused">
      <h3>
        <span className="bad">{code}</span> {title}
      </h3>
      <p className="data">{detail}</p>
      <dl className="props">
        {cause !== null && (
          <Field name="Cause">
            <Text>{cause}</Text> <span className="faint">(the caller is not told)</span>
          </Field>
        )}
        {extra !== null && (
          <Field name="Extra">
            <Text className="mono">{extra}</Text>
          </Field>
        )}
        {pass !== null && (
          <Field name="To pass">
            <Prose>{pass}</Prose>
          </Field>
        )}
        {section !== null && <Field name="Specification">section {section}</Field>}
        <Field name="Reference">
          <Go screen="reference" record="errors" params={{ code: [String(code)] }}>
            error {code}
          </Go>
          {endpoint !== null && (
            <>
              ,{' '}
              <Go screen="reference" record={endpoint}>
                {endpoint}
              </Go>
            </>
          )}
        </Field>
      </dl>
    </section>
  )
}
