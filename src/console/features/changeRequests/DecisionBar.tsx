import { Check } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { approveRequest, requestCarriedOut, withdrawRequest } from '#console/api/gateway/changeRequests.ts'
import { sessionQuery } from '#console/api/session.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast, type Toast } from '#console/shell/messages/toasts.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { BottomBar } from '#console/ui/layout/BottomBar.tsx'
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'
import type { Connection } from '#contract/console/connections.ts'
import { initials, outcomeToast } from './changeRequestLabels.ts'
import * as css from './changeRequests.module.css'

const DeclineDialog = lazyComponent(async () => (await import('./DeclineDialog.tsx')).DeclineDialog)
const RequestJsonDialog = lazyComponent(async () => (await import('./RequestJsonDialog.tsx')).RequestJsonDialog)

interface DecisionBarProps {
  request: ChangeRequestDetail
  connection: Connection | undefined
}

/** The reader's actions with a request that waits, and why not. */
export function DecisionBar({ request, connection }: DecisionBarProps) {
  const { rights, plan, number } = request
  const { data: session } = useQuery(sessionQuery)
  const [open, setOpen] = useState<'decline' | 'json' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const name = session?.person?.name
  const notReady = plan && !plan.ready ? 'The plan cannot be applied as it is: see the problems in it.' : undefined
  const reason = rights.reason ?? (plan ? notReady : 'There is no plan: the deployment cannot be read.')
  const act = async (action: Promise<Toast>) => {
    setBusy(true)
    await action.then(toast, toastFailure)
    setBusy(false)
  }
  const approve = async () => {
    if (!plan) return
    const isSure = await confirm({
      title: `Approve change request ${number}?`,
      body: 'The plan is applied at once, as it is shown.',
      action: 'Approve and apply',
      danger: plan.changes.some(({ action }) => action === 'delete'),
      ...(connection && { connection }),
    })
    // How it went is said once it is known: an approved request can fail.
    if (isSure) await act(approveRequest(request.id, plan.digest).then(requestCarriedOut).then(outcomeToast))
  }
  const withdraw = async () => {
    const isSure = await confirm({
      title: `Withdraw change request ${number}?`,
      body: 'Nothing is changed. It cannot be opened again.',
      action: 'Withdraw',
    })
    const said = { tone: 'ok', text: `Change request ${number} withdrawn` } as const
    if (isSure) await act(withdrawRequest(request.id).then(() => said))
  }
  usePageActions(useMemo(() => [{ label: 'Show as JSON', key: 'j', run: () => setOpen('json') }], []))
  return (
    <BottomBar label="Decision">
      <div className={css.requestDecision}>
        {name !== undefined && (
          <span className={css.avatar} aria-hidden>
            {initials(name)}
          </span>
        )}
        <span className={css.sentence}>{reason ?? sentenceOf(connection, request)}</span>
        {/* The person whose agent asked may decline it, too: the agent reads the reason. */}
        {rights.withdraw && !rights.decline ? (
          <Button loading={isBusy} onClick={() => void withdraw()}>
            Withdraw…
          </Button>
        ) : (
          <DisabledReason reason={rights.decline ? undefined : rights.reason}>
            <Button color="error" disabled={!rights.decline} onClick={() => setOpen('decline')}>
              Decline…
            </Button>
          </DisabledReason>
        )}
        <Button onClick={() => setOpen('json')}>Show as JSON</Button>
        <DisabledReason reason={reason}>
          <Button
            variant="contained"
            color="primary"
            startIcon={<Check size={14} aria-hidden />}
            loading={isBusy}
            disabled={reason !== undefined}
            onClick={() => void approve()}
          >
            Approve and apply
          </Button>
        </DisabledReason>
      </div>
      {open === 'decline' && <DeclineDialog request={request} onClose={() => setOpen(null)} />}
      {open === 'json' && <RequestJsonDialog request={request} onClose={() => setOpen(null)} />}
    </BottomBar>
  )
}

function sentenceOf(connection: Connection | undefined, { isMine }: Pick<ChangeRequestDetail, 'isMine'>): string {
  const { role = 'administrator', name = 'the connection' } = connection ?? {}
  const why = isMine ? ', and an agent asked with your token' : ' and not the requester'
  return `You are ${role} on ${name}${why}. Approval carries the plan out at once.`
}
