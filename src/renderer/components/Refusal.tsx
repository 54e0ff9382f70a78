import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import type { ErrorKey } from '../../api/contract/errors.ts'
import { type SettingsSection, settingsSections } from '../data/settings-sections.ts'
import { localizeInstants } from '../format/text.ts'
import { Stack } from '../ui/Layout.tsx'
import { Property, PropertyList, Prose, Text } from '../ui/Text.tsx'
import styles from './Refusal.module.css'
import { ScreenLink } from './ScreenLink.tsx'

/** The section of the settings that refuses it: the user of the window is the operator, too. */
const SETTING_OF: Partial<Record<ErrorKey, SettingsSection>> = {
  notAllowed: 'access',
  creationByOperator: 'access',
  generalAccountsExhausted: 'accounts',
  externalAccountAlreadyOpen: 'accounts',
  externalAccountsExhausted: 'accounts',
  externalAccountTooRecent: 'accounts',
  externalAccountTooOften: 'accounts',
  outboundAchAccountsExhausted: 'accounts',
  transferAboveMaximum: 'limits',
  transferBelowMinimum: 'limits',
  dailyTransfersExhausted: 'limits',
  dailyAmountExhausted: 'limits',
  authorizationDisabled: 'authorization',
  returnsDisabled: 'payments',
  combinedTransfersDisabled: 'payments',
}

const REFUSAL = { padding: '10px 16px 4px', boxShadow: 'inset 3px 0 var(--bad)' }

interface RefusalProps {
  readonly refusal: NonNullable<ExchangeDetail['refusal']>
  /** The endpoint that the reference explains. */
  readonly endpoint?: string | null
  /** Below how to fix it. */
  readonly children?: React.ReactNode
}

/** The error of a response, its cause, which the response does not contain, and how to fix it. */
export function Refusal({ refusal, endpoint = null, children }: RefusalProps) {
  const { key, code, title, detail, extra, cause, fields = [], pass, section } = refusal
  const setting = SETTING_OF[key as ErrorKey]
  const unnamed = fields.filter((field) => !extra?.includes(field))
  return (
    <Stack as="section" line="bottom" style={REFUSAL} aria-label="Why it was refused">
      <h3 style={{ font: '600 var(--t-body)' }}>
        <span className="bad">{code}</span> {title}
      </h3>
      <p className="data soft" style={{ margin: '2px 0 8px' }}>
        {detail}
      </p>
      <PropertyList className={styles.list}>
        {cause !== null && (
          <Property name="Cause">
            <Text>{localizeInstants(cause)}</Text> <span className="faint">(not in the response)</span>
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
        {children}
        {setting !== undefined && (
          <Property name="Setting">
            <ScreenLink screen="settings" params={{ part: [setting] }}>
              {settingsSections.find(([id]) => id === setting)?.[1]}
            </ScreenLink>{' '}
            of the Program
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
    </Stack>
  )
}
