import { useQuery, useMutation } from '@tanstack/react-query'
import { Link2, History } from 'lucide-react'
import { basePath } from '#console/api/document/basePath.ts'
import { changeRequestQuery, commentOnRequest } from '#console/api/gateway/changeRequests.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useFrameConnection, useRouteParam } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { copyText } from '#console/shell/messages/copyText.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { RunPanel } from '#console/records/runs/RunPanel.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { ChangeRequestDetail, RequestedChange, ChangeRequestEvent } from '#contract/console/changeRequests.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { counted } from '#domain/text/words.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { stateLabels, stateTones, eventLabels, initials } from './changeRequestLabels.ts'
import { DecisionBar } from './DecisionBar.tsx'
import { RequestFacts } from './RequestFacts.tsx'
import { RequestPlan } from './RequestPlan.tsx'
import * as css from './changeRequests.module.css'
import { z } from 'zod'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'

export function prefetch({ requestId = '' }: Record<string, string>): void {
  void queryClient.prefetchQuery(changeRequestQuery(requestId))
}

/** One change request: its plan against what is there now, its comments, and the decision. */
export default function ChangeRequestPage() {
  const requestId = useRouteParam('requestId')
  const { data, error, refetch } = useQuery(changeRequestQuery(requestId))
  if (!data) {
    return (
      <Page title="Change request">
        {error ? (
          <QueryError
            error={error}
            onRetry={() => void refetch()}
            elsewhere={<LinkButton to={paths.changeRequests()}>All change requests</LinkButton>}
          />
        ) : (
          <LoadingPanels heights={[240, 160]} />
        )}
      </Page>
    )
  }
  return <RequestView request={data} />
}

function RequestView({ request }: { request: ChangeRequestDetail }) {
  const { number, title, state, requester, isMine, agent, openedAt, expiresAt, rights, runId } = request
  const { connections } = useFrameConnection()
  const connection = connections.find(({ id }) => id === request.connectionId)
  const asker = isMine ? (agent === undefined ? 'You' : `The agent ${agent}, with your token,`) : requester
  const asked = `${asker} asked on ${formatMoment(openedAt)}.`
  return (
    <Page
      title={title}
      state={
        <>
          <StatusChip tone={stateTones[state]}>{stateLabels[state]}</StatusChip>
          <StatusChip tone="neutral">request {number}</StatusChip>
        </>
      }
      lead={
        state === 'waiting'
          ? `${asked} Expires ${formatMoment(expiresAt)}. ${agent === undefined ? 'Two-person approval: ' : ''}${rights.approvers}`
          : `${asked} ${decisionOf(request)}`
      }
      actions={
        <Button
          startIcon={<Link2 size={14} aria-hidden />}
          onClick={() => void copyText(`${location.origin}${basePath}${paths.changeRequest(request.id)}`, 'Link')}
        >
          Copy link
        </Button>
      }
    >
      <div className={css.requestColumns}>
        <div className={css.requestMain}>
          <TargetChanged request={request} connection={connection} />
          <RequestPlan request={request} />
          {runId !== undefined && (
            <RunPanel
              key={runId}
              runId={runId}
              onUndo={() => toast({ tone: 'ok', text: 'The run is being undone.' })}
            />
          )}
          <Comments request={request} />
        </div>
        <RequestFacts request={request} connection={connection} />
      </div>
      {state === 'waiting' && <DecisionBar request={request} connection={connection} />}
    </Page>
  )
}

function decisionOf({ state, decidedBy = 'Somebody', decidedAt = '' }: ChangeRequestDetail): string {
  if (state === 'expired') return `It expired on ${formatMoment(decidedAt)}.`
  const at = decidedAt === '' ? '' : ` on ${formatMoment(decidedAt)}`
  if (state === 'withdrawn') return `Withdrawn${at}.`
  return state === 'declined' ? `${decidedBy} declined${at}.` : `${decidedBy} approved${at}.`
}

interface TargetChangedProps {
  request: ChangeRequestDetail
  connection: Connection | undefined
}

/** A notice that a record changed since the request was opened: who changed what, and where to see it. */
function TargetChanged({ request, connection }: TargetChangedProps) {
  const changed = request.plan?.changes.filter(({ changedSince }) => changedSince) ?? []
  const [first] = changed
  if (!first) return null
  const more = changed.length > 1 ? ` ${counted(changed.length - 1, 'more record')} changed.` : ''
  const action = connection && first.recordId !== null && (
    <LinkButton to={paths.history(connection.id)} search={{ kind: first.kind, record: first.recordId }}>
      Show the change
    </LinkButton>
  )
  return (
    <Notice tone="warning" role="status" action={action}>
      <strong>Target changed since.</strong> {sentenceOf(first)}
      {more} The plan below is worked out against what is there now; the approval holds for this plan only.
    </Notice>
  )
}

function sentenceOf({ name, changedBy, problem }: RequestedChange): string {
  if (problem !== undefined) return `${name}: ${problem}`
  if (!changedBy) return `${name} has changed since the request was opened.`
  return `${name} was changed on ${formatMoment(changedBy.at)} by ${changedBy.actor}.`
}

const schema = z.object({ text: z.string().trim().min(1).max(2000) })

/** Comments and events, the oldest first. */
function Comments({ request }: { request: ChangeRequestDetail }) {
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
