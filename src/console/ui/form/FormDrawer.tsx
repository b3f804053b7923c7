import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import { useId } from 'react'
import { FormPage, type FormShellProps } from './FormPage.tsx'

/** A form beside its subject: the same as FormPage, in a drawer on the right. */
export function FormDrawer({ title, ...shell }: FormShellProps & { title: string }) {
  const id = useId()
  return (
    <Drawer
      anchor="right"
      open
      onClose={shell.onCancel}
      slotProps={{ paper: { 'aria-labelledby': id, role: 'dialog', sx: { width: { xs: '100%', sm: 520 } } } }}
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%', px: { xs: 3, sm: '22px' }, pt: 4 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', mb: 4 }}>
          <Typography id={id} variant="h2" sx={{ flexGrow: 1 }}>
            {title}
          </Typography>
          <IconButton aria-label="Close" onClick={shell.onCancel}>
            <X size={16} aria-hidden />
          </IconButton>
        </Box>
        <FormPage {...shell} />
        <Box sx={{ height: { xs: 12, sm: 18 } }} />
      </Box>
    </Drawer>
  )
}
