import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import { Property, PropertyList } from '../ui/Property.tsx'
import { Prose } from '../ui/Prose.tsx'
import { Text } from '../ui/Text.tsx'
import styles from './Refusal.module.css'
import { ScreenLink } from './ScreenLink.tsx'

interface RefusalProps {
  readonly refusal: NonNullable<ExchangeDetail['refusal']>
  /** The endpoint that the reference explains. */
  readonly endpoint?: string | null
}

/** The error of a response, its cause, which the response does not contain, and how to fix it. */
export function Refusal({ refusal, endpoint = null }: RefusalProps) {
  const { code, title, detail, extra, cause, fields = [], pass, section } = refusal
  const unnamed = fields.filter((field) => !extra?.includes(field))
  return (
    <section className={styles.refusal} aria-label="Why it was refused">
      <h3>
        <span className="bad">{code}</span> {title}
      </h3>
      <p className="data">{detail}</p>
      <PropertyList className={styles.list}>
        {cause !== null && (
          <Property name="Cause">
            <Text>{cause}</Text> <span className="faint">(not in the response)</span>
          </Property>
        )}
        {extra !== null && (
          <Property name="Extra">
            <Text className="mono">{extra}</Text>
          </Property>
        )}
        {unnamed.length > 0 && (
          <Property name="Where">
            {unnamed.some((field) => field.startsWith('{')) ? (
              'the uid in the path'
            ) : (
              <Text className="mono">{unnamed.join(', ')}</Text>
            )}
          </Property>
        )}
        {pass !== null && (
          <Property name="How to fix">
            <Prose>{pass}</Prose>
          </Property>
        )}
        {section !== null && <Property name="Specification">section {section}</Property>}
        <Property name="Reference">
          <ScreenLink screen="reference" record="errors" params={{ code: [String(code)] }}>
            error {code}
          </ScreenLink>
          {endpoint !== null && (
            <>
              ,{' '}
              <ScreenLink screen="reference" record={endpoint}>
                {endpoint}
              </ScreenLink>
            </>
          )}
        </Property>
      </PropertyList>
    </section>
  )
}
