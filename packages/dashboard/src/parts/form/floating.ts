/** Everything that floats over the page, in one piece that is loaded when something first does. */
export { ColorInput, Drawer, Modal, MultiSelect, Select, TagsInput, Textarea } from '@mantine/core'
