import { useMutation } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { z } from 'zod'
import { commentOnRequest } from '#console/api/gateway/changeRequests.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { ChangeRequestDetail, ChangeRequestEvent } from '#contract/console/changeRequests.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { eventLabels, initials } from './changeRequestLabels.ts'
import * as css from './changeRequests.module.css'

const schema = z.object({ text: z.string().trim().min(1).max(2000) })

/** Comments and events, the oldest first. */
export function Comments({ request }: { request: ChangeRequestDetail }) {
  const {
    control,
    formState: { isValid },
    handleSubmit,
    reset,
  } = useSchemaForm(schema, { text: '' })
  const add = useMutation({
    mutationFn: (text: string) => commentOnRequest(request.id, text),
    onSuccess: () => reset(),
    onError: toastFailure,
  })
  return (
    <Panel title="Comments" aside={request.isNotified && 'others are told by webhook'}>
      <ol className={css.timeline} aria-label="Timeline">
        {request.events.map((event) => (
          <Event key={`${event.at} ${event.kind} ${event.text ?? ''}`} event={event} />
        ))}
      </ol>
      <form
        className={css.requestForm}
        noValidate
        onSubmit={(event) => void handleSubmit(({ text }) => add.mutate(text))(event)}
      >
        <TextField control={control} name="text" label="Comment" hiddenLabel placeholder="Write a comment" />
        <Button type="submit" disabled={!isValid} loading={add.isPending}>
          Comment
        </Button>
      </form>
    </Panel>
  )
}

function Event({ event: { kind, at, actor, text } }: { event: ChangeRequestEvent }) {
  const name = actor === undefined ? undefined : formatBrowser(actor)
  const isSaid = kind === 'commented' || kind === 'opened' || kind === 'declined'
  return (
    <li className={css.event}>
      <span className={css.avatar} aria-hidden>
        {name === undefined ? <History size={13} /> : initials(name)}
      </span>
      <div>
        {name !== undefined && <strong>{name}</strong>} {eventLabels[kind]} {!isSaid && text}{' '}
        <time className={css.muted} dateTime={at}>
          {formatMoment(at)}
        </time>
        {isSaid && text !== undefined && <p>{text}</p>}
      </div>
    </li>
  )
}
