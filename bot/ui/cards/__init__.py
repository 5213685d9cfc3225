"""Pictures, by Pillow: values already written in the reader's language go in, a PNG comes out.

They are drawn in the renderer's thread, never in the event loop. What they are made of stands once: letters, the canvas
and its tones, shapes, the faces of songs, parts, plates, tiles; a picture is a stack of blocks.
"""
