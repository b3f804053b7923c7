import { useMutation } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { commentOnRequest } from '#console/api/gateway/changeRequests.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { ChangeRequestDetail, ChangeRequestEvent } from '#contract/changeRequests.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { eventLabels, initials } from './changeRequestLabels.ts'
import css from './ChangeRequestPage.module.css'

const maxComment = 2000

/** What people said, and what happened, the oldest first. */
export function Comments({ request }: { request: ChangeRequestDetail }) {
  const [text, setText] = useState('')
  const add = useMutation({
    mutationFn: () => commentOnRequest(request.id, text.trim()),
    onSuccess: () => setText(''),
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
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') add.mutate()
        }}
      >
        <TextInput
          label="Comment"
          hiddenLabel
          placeholder="Write a comment"
          value={text}
          maxLength={maxComment}
          onChange={setText}
        />
        <Button type="submit" disabled={text.trim() === ''} loading={add.isPending}>
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
