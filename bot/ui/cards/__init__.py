"""Pictures, drawn with Pillow: texts in the reader's language go in, a PNG comes out.

They are drawn in the renderer's thread, never in the event loop. All share the same elements: letters, the canvas and
its tones, shapes, the faces of songs, parts, plates and tiles. A picture is a stack of blocks.
"""
