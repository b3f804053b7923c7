import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { declineRequest } from '#console/api/gateway/changeRequests.ts'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'

interface DeclineDialogProps {
  request: ChangeRequestDetail
  onClose: () => void
}

const maxReason = 2000
const schema = z.object({ reason: z.string().trim().min(1).max(maxReason) })

/** Ends a request without carrying it out, and says why. */
export function DeclineDialog({ request, onClose }: DeclineDialogProps) {
  const {
    control,
    formState: { isValid },
    handleSubmit,
  } = useSchemaForm(schema, { reason: '' })
  const decline = useMutation({
    mutationFn: (reason: string) => declineRequest(request.id, reason),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={`Decline change request ${request.number}`}
      action="Decline"
      danger
      busy={decline.isPending}
      disabled={!isValid}
      onSubmit={() => void handleSubmit(({ reason }) => decline.mutate(reason))()}
      onClose={onClose}
    >
      {decline.error && <SubmitError error={formatError(decline.error)} />}
      <TextField control={control} name="reason" label="Reason" required lines={3} maxLength={maxReason} />
    </FormDialog>
  )
}
