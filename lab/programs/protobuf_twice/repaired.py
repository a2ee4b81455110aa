# The message is compiled into one of them, which the other is linked with.
import ctypes

reader = ctypes.CDLL("./reader_repaired.so")
writer = ctypes.CDLL("./writer.so")
print(reader.reader_size(784), writer.writer_size(784))
