import { Eye, EyeOff, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import * as css from './team.module.css'
import type { ShownKey } from './useShownKey.ts'

interface KeyPanelProps {
  title: string
  /** The purpose of the key. */
  lead: ReactNode
  shownKey: ShownKey
  createdAt: string | undefined
  /** Why it can neither be shown nor rotated. */
  locked: string | undefined
  rotating: boolean
  onRotate: () => void
  children?: ReactNode
}

/** A key: masked, shown for a minute on request, copied, rotated. */
export function KeyPanel({ title, lead, shownKey, createdAt, locked, rotating, onRotate, children }: KeyPanelProps) {
  const { text, isShown, isLoading, show, hide, read } = shownKey
  const disabled = locked !== undefined
  return (
    <Panel title={title}>
      <Column gap={12}>
        <Text color="textSecondary">{lead}</Text>
        <Row>
          <code className={css.key} aria-label={title}>
            {text}
          </code>
          <DisabledReason reason={locked}>
            <Button
              disabled={disabled}
              loading={isLoading}
              startIcon={isShown ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
              onClick={isShown ? hide : () => void show()}
            >
              {isShown ? 'Hide' : 'Show'}
            </Button>
          </DisabledReason>
          {!disabled && <CopyButton label="Copy" text={read} />}
          <DisabledReason reason={locked}>
            <Button
              disabled={disabled}
              loading={rotating}
              startIcon={<RefreshCw size={14} aria-hidden />}
              onClick={onRotate}
            >
              Rotate…
            </Button>
          </DisabledReason>
        </Row>
        {createdAt && (
          <Text variant="caption" color="textSecondary">
            Created <Timestamp iso={createdAt} />
          </Text>
        )}
        {children}
      </Column>
    </Panel>
  )
}
