import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { addPasskey, renamePasskey, startPasskey } from '#console/api/gateway/people.ts'
import { NameDialog } from '#console/records/record/NameDialog.tsx'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { explainPasskeyError } from '#console/shell/session/passkeyErrors.ts'
import { Text } from '#console/ui/base/Text.tsx'
import type { Passkey } from '#contract/console/people.ts'

interface PasskeyDialogProps {
  /** Null to add one. */
  passkey: Passkey | null
  onClose: () => void
}

/** Adds a passkey with the browser's own dialog, or renames one. */
export function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const save = useMutation({
    mutationFn: (name: string) => (passkey ? renamePasskey(passkey.id, name) : create(name)),
    onSuccess: onClose,
  })
  return (
    <NameDialog
      title={passkey ? `Rename ${passkey.name}` : 'Add passkey'}
      action={passkey ? 'Rename' : 'Create passkey'}
      name={passkey?.name ?? formatBrowser(navigator.userAgent)}
      maxLength={80}
      help="A name to recognize this passkey."
      busy={save.isPending}
      error={save.error && titled(save.error)}
      onSubmit={(name) => save.mutate(name)}
      onClose={onClose}
    >
      {!passkey && (
        <Text color="textSecondary">
          The browser asks next where to keep it, and for a fingerprint, your face or a PIN.
        </Text>
      )}
    </NameDialog>
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
