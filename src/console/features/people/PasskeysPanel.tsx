import { Plus } from 'lucide-react'
import { useState } from 'react'
import { removePasskey } from '#console/api/gateway/people.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { missingPasskeys } from '#console/shell/session/passkeyErrors.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { Passkey } from '#contract/console/people.ts'

const PasskeyDialog = lazyComponent(async () => (await import('./PasskeyDialog.tsx')).PasskeyDialog)

interface PasskeysPanelProps {
  passkeys: readonly Passkey[]
  /** Why none can be added at this address. */
  refused: string | undefined
}

/** The caller's passkeys. */
export function PasskeysPanel({ passkeys, refused }: PasskeysPanelProps) {
  const [edited, setEdited] = useState<Passkey | 'new' | null>(null)
  const reason = refused ?? missingPasskeys()
  return (
    <Panel
      title="Passkeys"
      flush
      aside={
        <DisabledReason reason={reason}>
          <Button
            startIcon={<Plus size={14} aria-hidden />}
            disabled={reason !== undefined}
            onPointerEnter={PasskeyDialog.preload}
            onClick={() => setEdited('new')}
          >
            Add passkey
          </Button>
        </DisabledReason>
      }
    >
      {reason !== undefined && <PanelText>{reason}</PanelText>}
      {passkeys.length === 0 ? (
        <PanelText>
          Sign in with a fingerprint, your face or a PIN instead of a password. A passkey stays on your device or in
          your password manager, and works only for this console.
        </PanelText>
      ) : (
        <SmallTable
          label="Passkeys"
          heads={['Name', 'Where', 'Added', 'Last used', { title: 'Actions', hidden: true }]}
        >
          {passkeys.map((passkey) => (
            <tr key={passkey.id}>
              <td>{passkey.name}</td>
              <td>{passkey.synced ? 'synced between devices' : 'on one device'}</td>
              <td>
                <Timestamp iso={passkey.createdAt} />
              </td>
              <td>{passkey.usedAt === undefined ? 'never' : <Timestamp iso={passkey.usedAt} />}</td>
              <td data-actions>
                <Button onClick={() => setEdited(passkey)}>Rename</Button>{' '}
                <Button onClick={() => void remove(passkey)}>Remove</Button>
              </td>
            </tr>
          ))}
        </SmallTable>
      )}
      {edited && <PasskeyDialog passkey={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Panel>
  )
}

async function remove({ id, name }: Passkey): Promise<void> {
  const sure = await confirm({
    title: `Remove passkey ${name}?`,
    body: 'You can no longer sign in with it. Your device or password manager may still offer it: delete it there, too.',
    action: 'Remove passkey',
    danger: true,
  })
  if (!sure) return
  await runWithToast(() => removePasskey(id), `Passkey ${name} removed`)
}
