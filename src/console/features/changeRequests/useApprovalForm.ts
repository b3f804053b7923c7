/** The form of the approval settings of a connection. */
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { isHeld, noteHeld } from '#console/api/approval.ts'
import { asFailure } from '#console/api/failure.ts'
import { setApprovalSettings } from '#console/api/gateway/approvals.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { proposingTools } from '#contract/console/agents.ts'
import type { ApprovalSettings } from '#contract/console/approvals.ts'
import type { Connection } from '#contract/console/connections.ts'

const schema = z.object({
  twoPersonApproval: z.boolean(),
  /** Masked until another one is typed. */
  notificationUrl: z.string().trim(),
  allowPrivate: z.boolean(),
  agentTools: z.array(z.string()),
})

export type ApprovalForm = z.infer<typeof schema>

interface ApprovalFormState {
  form: UseFormReturn<ApprovalForm>
  save: UseMutationResult<void, Error, ApprovalForm>
}

/**
 * The form and its save. Fields that nobody changed follow the stored settings. If turning the approval off itself
 * needs approval, its switch goes back, and the page says that it waits.
 */
export function useApprovalForm(connection: Connection, settings: ApprovalSettings): ApprovalFormState {
  const { twoPersonApproval, notificationUrl = '', allowPrivateNotification: allowPrivate, agentTools } = settings
  const form = useSchemaForm(
    schema,
    { twoPersonApproval, notificationUrl, allowPrivate, agentTools },
    { follows: true },
  )
  const { dirtyFields } = form.formState
  const save = useMutation({
    mutationFn: (values: ApprovalForm) =>
      setApprovalSettings(connection.id, {
        twoPersonApproval: values.twoPersonApproval,
        ...(dirtyFields.notificationUrl && {
          notificationUrl: values.notificationUrl === '' ? null : values.notificationUrl,
        }),
        allowPrivateNotification: values.allowPrivate,
        agentTools: values.twoPersonApproval ? [] : proposingTools.filter((tool) => values.agentTools.includes(tool)),
      }),
    onSuccess: () => {
      form.reset()
      toast({ tone: 'ok', text: `Approval settings of ${connection.name} saved` })
    },
    onError: (thrown) => {
      const failure = asFailure(thrown)
      if (failure.held) noteHeld(failure.held)
      if (isHeld(failure)) form.resetField('twoPersonApproval')
    },
  })
  return { form, save }
}
