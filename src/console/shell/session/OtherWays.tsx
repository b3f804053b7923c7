import { KeyRound } from 'lucide-react'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import type { Session } from '#contract/connections.ts'
import { missingPasskeys } from './passkeyErrors.ts'
import css from './SignInPage.module.css'

interface OtherWaysProps {
  session: Session
  /** The ID of the provider that is being asked, or whether it is a passkey. */
  pending: string | null
  onProvider: (id: string) => void
  onPasskey: () => void
}

/** Sign-in with providers and passkeys. */
export function OtherWays({
  session: { providers = [], passkeysRefused },
  pending,
  onProvider,
  onPasskey,
}: OtherWaysProps) {
  const refused = passkeysRefused ?? missingPasskeys()
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
      {passkeysRefused !== undefined && (
        <>
          <Button
            startIcon={<KeyRound size={14} aria-hidden />}
            disabled={refused !== undefined || pending !== null}
            loading={pending === 'passkey'}
            {...(refused === undefined ? {} : { 'aria-describedby': 'no-passkeys' })}
            onClick={onPasskey}
          >
            Sign in with a passkey
          </Button>
          {refused !== undefined && (
            <Text id="no-passkeys" variant="caption" color="textSecondary">
              {refused}
            </Text>
          )}
        </>
      )}
    </div>
  )
}
