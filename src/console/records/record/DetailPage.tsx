import { ChevronDown } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { usePageActions, type PageAction } from '#console/shell/pageActions.ts'
import { Button } from '#console/ui/base/Button.tsx'

interface DetailPageProps {
  title: string
  /** Chips beside the title. */
  state?: ReactNode
  /** One line about the record. */
  lead?: ReactNode
  /** Links to the other pages of the record. */
  nav?: ReactNode
  /** Actions: one button here, entries of its menu and of the palette, keys. Give it a stable array (useMemo). */
  actions: PageAction[]
  /** Rarely needed actions, in a menu. Give it a stable array (useMemo). */
  moreActions: PageAction[]
  children: ReactNode
}

/** The page of one record: title, its primary action, the others in a menu with the reason where one is disabled, and panels. */
export function DetailPage({ title, state, lead, nav, actions, moreActions, children }: DetailPageProps) {
  usePageActions(actions)
  usePageActions(moreActions)
  const { buttons, menu } = useMemo(() => arranged(actions, moreActions), [actions, moreActions])
  return (
    <Page
      title={title}
      state={state}
      lead={lead}
      nav={nav}
      actions={
        <>
          {buttons.map((action) => (
            <ActionButton key={action.label} action={action} isPrimary={action.popup === undefined} />
          ))}
          <ActionMenu label="More actions" actions={menu} />
        </>
      }
    >
      {children}
    </Page>
  )
}

/**
 * The primary action, or else the last one, which is Edit, is a button; so is what opens below its own button. The others are
 * in the menu, what is dangerous at its end.
 */
function arranged(actions: readonly PageAction[], moreActions: readonly PageAction[]) {
  const primary = actions.find((action) => action.primary) ?? actions.findLast((action) => !action.popup)
  const isButton = (action: PageAction) => action === primary || action.popup !== undefined
  const others = [...actions.filter((action) => !isButton(action)), ...startingGroup(moreActions)]
  return {
    buttons: actions.filter(isButton).toSorted((a, b) => Number(a === primary) - Number(b === primary)),
    menu: [...others.filter(({ danger }) => !danger), ...others.filter(({ danger }) => danger)],
  }
}

const startingGroup = ([first, ...rest]: readonly PageAction[]): PageAction[] =>
  first ? [{ ...first, startsGroup: true }, ...rest] : []

function ActionButton({ action, isPrimary }: { action: PageAction; isPrimary: boolean }) {
  const { label, icon: Icon, run, disabled, danger, popup } = action
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
        {...(isPrimary && { variant: 'contained', color: 'primary' })}
        style={{ color: danger && disabled === undefined ? 'var(--bad)' : undefined }}
      >
        {label}
      </Button>
    </DisabledReason>
  )
}
