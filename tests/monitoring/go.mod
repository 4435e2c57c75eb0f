module monitoring

go 1.26.0
