import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { addPasskey, renamePasskey, startPasskey } from '#console/api/gateway/people.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { explainPasskeyError } from '#console/shell/session/passkeyErrors.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
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
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="passkey-title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <DialogTitle id="passkey-title">{passkey ? `Rename ${passkey.name}` : 'Add passkey'}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
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
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={name.trim() === ''}
            loading={save.isPending}
          >
            {passkey ? 'Rename' : 'Create passkey'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
