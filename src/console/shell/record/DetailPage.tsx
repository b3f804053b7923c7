import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { usePageActions, type PageAction } from '../pageActions.ts'
import { Button } from '#console/ui/base/Button.tsx'

interface DetailPageProps {
  title: string
  /** Chips beside the title. */
  state?: ReactNode
  /** One line about the record. */
  lead?: ReactNode
  /** Actions: buttons here, entries of the palette, keys. Give it a stable array (useMemo). */
  actions: PageAction[]
  /** The record's request as a command for a terminal. */
  command?: () => string | null
  /** The record as Terraform configuration. */
  terraform?: (() => Promise<string>) | undefined
  children: ReactNode
}

/** The page of one record: title, actions with the reason where one is disabled, and panels. */
export function DetailPage({ title, state, lead, actions, command, terraform, children }: DetailPageProps) {
  usePageActions(actions)
  return (
    <Page
      title={title}
      state={state}
      lead={lead}
      actions={
        <>
          {command && <CopyButton text={() => command() ?? ''} label="Copy as cURL" />}
          {terraform && <CopyButton text={terraform} label="Copy as Terraform" />}
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} />
          ))}
        </>
      }
    >
      {children}
    </Page>
  )
}

function ActionButton({ action }: { action: PageAction }) {
  const { label, icon: Icon, run, disabled, danger, primary, popup } = action
  return (
    <DisabledReason reason={disabled}>
      <Button
        onClick={run}
        disabled={disabled !== undefined}
        startIcon={Icon && <Icon size={14} aria-hidden />}
        {...(popup && {
          ref: popup.button,
          'aria-haspopup': 'dialog',
          'aria-expanded': popup.open,
          onPointerEnter: popup.preload,
          onFocus: popup.preload,
          endIcon: <ChevronDown size={14} aria-hidden />,
        })}
        {...(primary && { variant: 'contained', color: 'primary' })}
        style={{ color: danger && disabled === undefined ? 'var(--bad)' : undefined }}
      >
        {label}
      </Button>
    </DisabledReason>
  )
}
