import { KeyRound } from 'lucide-react'
import { Button } from '#console/ui/base/Button.tsx'
import type { Session } from '#contract/console/connections.ts'
import * as css from '../shell.module.css'

interface OtherSignInMethodsProps {
  session: Session
  /** Whether passkeys can be used here. */
  offersPasskeys: boolean
  /** The ID of the provider that is being asked, or whether it is a passkey. */
  pending: string | null
  onProvider: (id: string) => void
  onPasskey: () => void
}

/** Sign-in with providers and passkeys. */
export function OtherSignInMethods(props: OtherSignInMethodsProps) {
  const { session, offersPasskeys, pending, onProvider, onPasskey } = props
  const { providers = [] } = session
  return (
    <div className={css.ways}>
      {providers.map(({ id, label }, at) => (
        <Button
          key={id}
          {...(at === 0 ? ({ variant: 'contained', color: 'primary' } as const) : {})}
          disabled={pending !== null}
          loading={pending === id}
          onClick={() => onProvider(id)}
        >
          Continue with {label}
        </Button>
      ))}
      {offersPasskeys && (
        <Button
          startIcon={<KeyRound size={14} aria-hidden />}
          disabled={pending !== null}
          loading={pending === 'passkey'}
          onClick={onPasskey}
        >
          Sign in with a passkey
        </Button>
      )}
    </div>
  )
}
