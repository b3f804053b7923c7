/** Asking what a change is for that needs approval, and for a break-glass. `ApprovalHost` of the frame shows the dialogs. */
import { Store, useStore } from '@tanstack/react-store'
import { hostApprovals } from '#console/api/approval.ts'
import type { ChangeRequestDraft } from '#contract/console/changeRequests.ts'
import type { Connection } from '#contract/console/connections.ts'
import { toast } from '#console/shell/messages/toasts.tsx'

export interface ApprovalQuestion {
  connectionId: string
  answer: (draft: ChangeRequestDraft | null) => void
}

interface Open {
  question: ApprovalQuestion | null
  breakGlass: Connection | null
}

const open = new Store<Open>({ question: null, breakGlass: null })

export const useApprovalQuestion = () => useStore(open, ({ question }) => question)
export const useBreakGlassQuestion = () => useStore(open, ({ breakGlass }) => breakGlass)

/** Opens or closes the dialog that starts a break-glass. */
export const askBreakGlass = (connection: Connection | null) =>
  open.setState((all) => ({ ...all, breakGlass: connection }))

/** From now on, changes that need approval ask what they are for. @param openPage goes to the page of a request */
export function startApprovals(openPage: (requestId: string) => void): void {
  hostApprovals({
    ask: (connectionId) => {
      open.state.question?.answer(null)
      return new Promise((resolve) => {
        const answer = (draft: ChangeRequestDraft | null) => {
          open.setState((all) => ({ ...all, question: null }))
          resolve(draft)
        }
        open.setState((all) => ({ ...all, question: { connectionId, answer } }))
      })
    },
    show: ({ id, number }) =>
      toast({
        tone: 'ok',
        text: `Sent for approval as change request ${number}. Nothing was changed yet.`,
        action: { label: 'Open request', run: () => openPage(id) },
      }),
  })
}
