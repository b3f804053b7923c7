import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import type { CrudResource } from './resource.ts'
import type { RecordCreate } from './useRecordCreate.ts'

interface NewPageProps {
  resource: Pick<CrudResource<never>, 'longNoun' | 'paths'>
  lead: string
  /** Chips beside the title. */
  state?: ReactNode
  creating: Omit<RecordCreate<never>, 'create'>
  onSubmit: () => void
  submitLabel: string
  dirty: boolean
  /** Why nothing can be created. */
  locked: string | undefined
  /** The content takes the whole width, for forms with something beside them. */
  wide: boolean
  /** The progress, in the bar. */
  progress?: string
  /** Leads to the step before. */
  onBack?: (() => void) | undefined
  children: ReactNode
}

/** The form of a new record. */
export function NewPage(props: NewPageProps) {
  const { resource, lead, creating, onSubmit, submitLabel, dirty, locked, wide, children } = props
  const { id: connectionId } = useConnection()
  const navigate = useNavigate()
  const list = resource.paths.list(connectionId)
  return (
    <Page title={`New ${resource.longNoun}`} state={props.state} lead={lead}>
      <FormPage
        onSubmit={onSubmit}
        submitLabel={submitLabel}
        onCancel={() => void navigate({ to: list })}
        loading={creating.pending}
        submitError={creating.error}
        errorAction={creating.unknown && <LinkButton to={list}>Open the list</LinkButton>}
        dirty={dirty}
        changes={props.progress}
        onBack={props.onBack}
        disabled={locked}
        wide={wide}
      >
        {children}
      </FormPage>
    </Page>
  )
}
