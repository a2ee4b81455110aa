# question: 5
# claim: libraries with conflicting protobufs segfault in model.fit
# really: two libraries that bring the same message to one libprotobuf abort when the second is loaded
# expect: protobuf-conflict proven
# ends: SIGABRT
# fix: share one protobuf
# says: writer.so brings message types
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: protoc --cpp_out=. batch.proto
# build: g++ -g -O1 -w -shared -fPIC -DNAME=reader_size reader.cc batch.pb.cc -o reader.so -lprotobuf
# build: g++ -g -O1 -w -shared -fPIC -DNAME=writer_size reader.cc batch.pb.cc -o writer.so -lprotobuf
# build: g++ -g -O1 -w -shared -fPIC -DNAME=reader_size reader.cc -o reader_repaired.so -L. -l:writer.so -lprotobuf -Wl,-rpath,$ORIGIN
#
# A reader and a writer, built apart.
import ctypes

reader = ctypes.CDLL("./reader.so")
writer = ctypes.CDLL("./writer.so")  # here
print(reader.reader_size(784), writer.writer_size(784))
