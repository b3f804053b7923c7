import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { paths } from '#console/paths/paths.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { startApprovals, useApprovalQuestion, useBreakGlassQuestion } from './approvalQuestion.ts'

const ApprovalDialog = lazyComponent(async () => (await import('./ApprovalDialog.tsx')).ApprovalDialog)
const BreakGlassDialog = lazyComponent(async () => (await import('./BreakGlassDialog.tsx')).BreakGlassDialog)

/** Asks about changes that need approval. The code of the dialogs is loaded with the first of them. */
export function ApprovalHost() {
  const question = useApprovalQuestion()
  const breakGlass = useBreakGlassQuestion()
  const navigate = useNavigate()
  // The draft of a form is in the request.
  useEffect(
    () => startApprovals((id) => void navigate({ to: paths.changeRequest(id), ignoreBlocker: true })),
    [navigate],
  )
  return (
    <>
      {question && <ApprovalDialog question={question} />}
      {breakGlass && <BreakGlassDialog connection={breakGlass} />}
    </>
  )
}
