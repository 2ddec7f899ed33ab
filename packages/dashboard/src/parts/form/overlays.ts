/** The library's components that float over a page, in one file that is loaded when the first of them is needed. */
export { ColorInput, Drawer, Modal, TagsInput } from '@mantine/core'
