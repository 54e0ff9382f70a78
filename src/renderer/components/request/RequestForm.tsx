import { Play } from 'lucide-react'
import { useId, useRef } from 'react'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { TryIt } from '../../actions/TryIt.tsx'
import { sendingForm } from '../../data/sandbox.ts'
import { useApiAccess } from '../../data/use-program.ts'
import { formatCurl, formatFetch, formatHttp } from '../../format/request.ts'
import { BodyText } from '../../forms/BodyText.tsx'
import { Corrections } from '../../forms/Corrections.tsx'
import { correctBody, findBodyCorrections } from '../../forms/corrections.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { type Request, sendingOf, toSentRequest } from '../../forms/send.ts'
import type { Examples } from '../../forms/use-examples.ts'
import { WhatFollows } from '../../forms/WhatFollows.tsx'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { Actions, Columns } from '../../ui/Layout.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { SendResult } from '../SendResult.tsx'
import styles from './RequestForm.module.css'
import { type RequestStart, useRequestForm } from './use-request-form.ts'

interface RequestFormProps {
  readonly name: EndpointName
  readonly program_uid: string
  readonly examples: Examples
  readonly start?: RequestStart
  /** The label of the button. */
  readonly label?: string
  /** Shown below the response of the last request. */
  readonly after?: (exchange: ExchangeDetail) => React.ReactNode
}

/** A form that sends a request to an endpoint with the Program's own token, in the current world. It is logged as any other. */
export function RequestForm(props: RequestFormProps) {
  const { name, program_uid, examples, start, label = 'Send', after } = props
  const form = useRef<HTMLFormElement>(null)
  const draft = useRequestForm(name, program_uid, examples, start)
  const { request, body, needsConfirmation, isSending, exchange, failure } = draft
  const submit = async () => {
    await draft.submit()
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const { params, query } = draft
  const fields = (params || query || body) && (
    <div className={styles.fields}>
      <RequestFields
        examples={draft.examples}
        params={params}
        query={query}
        body={body && { ...body, onChange: body.setValue }}
      />
    </div>
  )
  return (
    <div className={styles.request}>
      <form ref={form} {...sendingForm(submit)}>
        {body ? (
          <Columns className={styles.columns}>
            {fields}
            <div>
              <BodyText {...body} />
              <Corrections
                corrections={findBodyCorrections(body.value, body.shape)}
                apply={(one) => body.setValue(correctBody(body.value, one))}
              />
            </div>
          </Columns>
        ) : (
          fields
        )}
        {body && (
          <WhatFollows program_uid={program_uid} endpoint={name} params={params?.value ?? {}} body={body.value} />
        )}
        {needsConfirmation && (
          <NoticeLine role="alert">
            <b>The request does not match the contract.</b> Fix the marked fields, or send it anyway to see the error.
          </NoticeLine>
        )}
        <Actions className={styles.actions}>
          <Button icon={Play} type="submit" primary aria-disabled={isSending || undefined}>
            {needsConfirmation ? 'Send anyway' : label}
          </Button>
          <TryIt what={label} calls={() => sendingOf(program_uid, request)} />
          <code className="cut soft">
            {request.method} <Text>{request.path}</Text>
          </code>
          <CopyRequest request={request} program_uid={program_uid} />
        </Actions>
      </form>
      {failure !== undefined && <Notice title="The request could not be sent." error={failure} />}
      <div role="status" aria-label="Response">
        {exchange && <SendResult exchange={exchange} />}
        {exchange && after?.(exchange)}
      </div>
    </div>
  )
}

/** The fields of a part of a request. */
export type FormPart = Omit<React.ComponentProps<typeof SchemaForm>, 'id' | 'examples' | 'customer' | 'leads'>

interface RequestFieldsProps {
  readonly examples: Partial<Examples> | null
  readonly params?: FormPart | null
  readonly query?: FormPart | undefined
  readonly body?: FormPart | undefined
}

/** The forms of the parts of a request. */
export function RequestFields({ examples, params, query, body }: RequestFieldsProps) {
  const id = useId()
  const common = { examples: examples?.values, customer: examples?.customer }
  return (
    <>
      {params && <SchemaForm id={`${id}path`} {...params} {...common} />}
      {query && <SchemaForm id={`${id}query`} {...query} {...common} leads={['limit']} />}
      {body && <SchemaForm id={`${id}body`} {...body} {...common} leads={[]} />}
    </>
  )
}

function CopyRequest({ request, program_uid }: { request: Request; program_uid: string }) {
  const access = useApiAccess(program_uid)
  const exchange = toSentRequest(request)
  return (
    <span className="end row">
      <CopyButton text={() => formatCurl(access, exchange)} what="request as curl" label="curl" />
      <CopyButton text={() => formatFetch(access.base_url, exchange)} what="request as fetch" label="fetch" />
      <CopyButton text={() => formatHttp(access.base_url, exchange)} what="request as HTTP" label="HTTP" />
    </span>
  )
}
