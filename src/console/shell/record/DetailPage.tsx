import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
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
  /** Links to the other pages of the record. */
  nav?: ReactNode
  /** Actions: buttons here, entries of the palette, keys. Give it a stable array (useMemo). */
  actions: PageAction[]
  /** What is needed less often, in a menu. Give it a stable array (useMemo). */
  moreActions: PageAction[]
  children: ReactNode
}

/** The page of one record: title, actions with the reason where one is disabled, and panels. */
export function DetailPage({ title, state, lead, nav, actions, moreActions, children }: DetailPageProps) {
  usePageActions(actions)
  usePageActions(moreActions)
  return (
    <Page
      title={title}
      state={state}
      lead={lead}
      nav={nav}
      actions={
        <>
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} />
          ))}
          <ActionMenu label="More actions" actions={moreActions} />
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
