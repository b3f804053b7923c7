import { Drawer } from '#console/ui/mui/Drawer.tsx'
import { X } from 'lucide-react'
import { useId } from 'react'
import { focusFirstField } from '../mui/focusFirstField.ts'
import { useDiscardGuard } from './useDiscardGuard.tsx'
import { FormPage, type FormShellProps } from './FormPage.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from './form.module.css'

/** A form beside its subject: the same as FormPage, in a drawer on the right, which starts in its first field. */
export function FormDrawer({ title, ...shell }: FormShellProps & { title: string }) {
  const id = useId()
  const { close, question } = useDiscardGuard(shell.dirty, shell.onCancel)
  return (
    <Drawer
      anchor="right"
      open
      onClose={close}
      slotProps={{ paper: { 'aria-labelledby': id, role: 'dialog', sx: { width: { xs: '100%', sm: 520 } } } }}
    >
      <div ref={focusFirstField} className={css.drawerContent}>
        <div className={css.drawerHeader}>
          <Text id={id} variant="h2" className={css.drawerTitle}>
            {title}
          </Text>
          <IconButton aria-label="Close" onClick={close}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
        <FormPage {...shell} />
        <div className={css.drawerBottomSpace} />
        {question}
      </div>
    </Drawer>
  )
}
