import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { addPasskey, renamePasskey, startPasskey } from '#console/api/gateway/people.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { explainPasskeyError } from '#console/shell/session/passkeyErrors.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import type { Passkey } from '#contract/people.ts'

interface PasskeyDialogProps {
  /** Null to add one. */
  passkey: Passkey | null
  onClose: () => void
}

/** Adds a passkey with the browser's own dialog, or renames one. */
export function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const [name, setName] = useState(passkey?.name ?? formatBrowser(navigator.userAgent))
  const save = useMutation({
    mutationFn: () => (passkey ? renamePasskey(passkey.id, name) : create(name)),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={passkey ? `Rename ${passkey.name}` : 'Add passkey'}
      action={passkey ? 'Rename' : 'Create passkey'}
      busy={save.isPending}
      disabled={name.trim() === ''}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {save.error && <SubmitError error={titled(save.error)} />}
      <TextInput
        label="Name"
        value={name}
        onChange={setName}
        required
        maxLength={80}
        autoComplete="off"
        help="To tell it from your other passkeys."
      />
      {!passkey && (
        <Text color="textSecondary">
          The browser asks next where to keep it, and for a fingerprint, your face or a PIN.
        </Text>
      )}
    </FormDialog>
  )
}

async function create(name: string): Promise<void> {
  const options = await startPasskey<PublicKeyCredentialCreationOptionsJSON>()
  const credential = await startRegistration({ optionsJSON: options }).catch((error: unknown) => {
    throw explainPasskeyError(error)
  })
  await addPasskey({ name, credential: { ...credential, response: { ...credential.response } } })
}

function titled(error: unknown) {
  return { ...formatError(error), title: 'No passkey was added', advice: '' }
}
